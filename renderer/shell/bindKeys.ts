import { isMac } from '../components/platform';
import type { CommandStore } from '../state/commandStore';

const TEXT_INPUTS = new Set(['text', 'search', 'url', 'email', 'password', 'number', 'tel']);

/** The one place where keys become commands. */
export function bindKeys(commands: CommandStore): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    const situation = { isMac, inTextField: isTextField(event.target), inDialog: document.querySelector('[role="dialog"][data-state="open"]') !== null };
    const command = commands.getState().find(event, situation);
    if (command === null) return;
    event.preventDefault();
    command.run();
  });
}

export function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return TEXT_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
