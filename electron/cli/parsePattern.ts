import { InvalidArgumentError } from 'commander';
import { parseGroupPattern } from '../../shared/model/groupPattern';

/** An option that names parameter groups. @throws InvalidArgumentError with the sentence of what is wrong */
export function parsePattern(text: string): (name: string) => boolean {
  const pattern = parseGroupPattern(text);
  if (typeof pattern === 'string') throw new InvalidArgumentError(pattern);
  return pattern;
}
