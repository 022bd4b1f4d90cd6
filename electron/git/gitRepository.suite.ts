import { contentSuite } from './suite/content.suite';
import { fixturesSuite } from './suite/fixtures.suite';
import { historySuite } from './suite/history.suite';
import { hostileSuite } from './suite/hostile.suite';
import { placesSuite } from './suite/places.suite';
import { refsSuite } from './suite/refs.suite';
import { resolveSuite } from './suite/resolve.suite';
import type { Backend } from './suite/suiteContext';
import { workTreeSuite } from './suite/workTree.suite';

/** All that both back ends must do alike. What is right is what the git on this machine says, or a constant in the test. */
export function gitRepositorySuite(backend: Backend): void {
  placesSuite(backend);
  refsSuite(backend);
  historySuite(backend);
  resolveSuite(backend);
  contentSuite(backend);
  workTreeSuite(backend);
  hostileSuite(backend);
  fixturesSuite(backend);
}
