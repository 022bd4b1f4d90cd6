import { describe } from 'vitest';
import { gitRepositorySuite } from '../gitRepository.suite';

describe('isomorphic-git', () => gitRepositorySuite('isomorphic'));
