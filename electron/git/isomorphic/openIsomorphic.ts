import { IsomorphicRepository } from './isomorphicRepository';
import { locateRepository } from './locateRepository';
import { readConfig } from './readConfig';
import { refuseUnsupported } from './refuseUnsupported';

/** Opens the repository around a folder without git. @throws not-found, malformed, unsupported-repository */
export async function openIsomorphic(folder: string): Promise<IsomorphicRepository> {
  const place = await locateRepository(folder);
  await refuseUnsupported(place, await readConfig(place));
  return new IsomorphicRepository(place);
}
