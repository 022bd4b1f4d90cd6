import { CheckpointError } from '../../../shared/contract/errors';
import { requests } from '../../../shared/contract/requests';
import type { Handlers } from '../../handlers/handlers';

/** Handlers for tests of what carries the calls: those given, and a refusal for every other method. */
export function handlersWith(given: Partial<Handlers>): Handlers {
  const refuse = async () => {
    throw new CheckpointError('internal', 'not part of this test');
  };
  const all = Object.fromEntries(Object.keys(requests).map((method) => [method, refuse]));
  return { ...all, ...given } as unknown as Handlers;
}
