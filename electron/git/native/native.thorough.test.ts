import { describe } from 'vitest';
import { gitRepositorySuite } from '../gitRepository.suite';

describe('native git', () => gitRepositorySuite('native'));
