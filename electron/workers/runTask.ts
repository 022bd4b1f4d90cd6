import { parseInput, type TaskInput, type TaskName, type TaskOutput } from './protocol';
import type { Task, TaskContext } from './tasks/task';
import { type TaskMap, tasks } from './tasks/tasks';

/** Runs a task by its name on an input that came from another thread. @throws ValiError when the input is not the task's */
export async function runTask<N extends TaskName>(name: N, input: unknown, context: TaskContext): Promise<TaskOutput<N>> {
  const task: Task<TaskInput<N>, TaskMap[N]['output']> = tasks[name];
  return task(parseInput(name, input), context);
}
