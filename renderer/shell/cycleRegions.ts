const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** Moves the focus to the next (or previous) part of the window; parts carry `data-region`. */
export function cycleRegions(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.offsetParent !== null && region.querySelector('[data-region]') === null,
  );
  const current = regions.findLastIndex((region) => region.contains(document.activeElement));
  for (let distance = 1; distance <= regions.length; distance++) {
    const at = current < 0 && step < 0 ? regions.length - distance : current + step * distance;
    const region = regions[(at + regions.length * 2) % regions.length];
    if (region !== undefined && focusInto(region)) return;
  }
}

/** Where the region says it begins, else its first control. */
export function focusInto(region: HTMLElement | null): boolean {
  if (region === null) return false;
  const target = region.querySelector<HTMLElement>('[data-region-start], [role="treegrid"][tabindex="0"]') ?? region.querySelector<HTMLElement>(FOCUSABLE);
  target?.focus();
  return target !== null;
}
