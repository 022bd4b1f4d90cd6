import type { NameProposal } from '../../../shared/model/graphEdit';
import type { ScopeIndex } from '../scopes/scopeIndex';

/**
 * Proposals that can be applied together: of two that want one name, or one that a value of another graph has, the later gets a number.
 * Those that would change nothing are left out.
 */
export function settleNames(proposals: readonly NameProposal[], index: ScopeIndex): NameProposal[] {
  const renamed = new Set(proposals.map(({ address }) => JSON.stringify([address.graph, address.name])));
  /** A name that goes to another value becomes free. */
  const isFree = (name: string) => index.named(name).every(({ owner }) => renamed.has(JSON.stringify([owner.path, name])));
  const taken = new Set<string>();
  const settled: NameProposal[] = [];
  for (const proposal of proposals) {
    if (proposal.to === proposal.address.name) {
      taken.add(proposal.to);
      continue;
    }
    let to = proposal.to;
    for (let i = 1; taken.has(to) || !isFree(to); i++) to = `${proposal.to}_${i}`;
    taken.add(to);
    settled.push({ ...proposal, to });
  }
  return settled;
}
