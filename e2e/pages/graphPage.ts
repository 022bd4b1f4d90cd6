import { expect, type Locator, type Page } from '@playwright/test';

/** The graph of a model, driven by role, name and keys. */
export class GraphPage {
  readonly drawing: Locator;
  /** What is chosen, as it is read out. */
  readonly chosen: Locator;
  readonly outline: Locator;
  readonly search: Locator;
  readonly found: Locator;
  readonly view: Locator;

  constructor(readonly page: Page) {
    this.view = page.getByRole('region', { name: 'Graph', exact: true });
    this.drawing = page.getByRole('application', { name: /^Graph of / });
    this.chosen = this.drawing.getByRole('status');
    this.outline = page.getByRole('treegrid', { name: 'Groups and operators' });
    this.search = page.getByRole('searchbox', { name: 'Search the graph' });
    this.found = page.getByRole('listbox', { name: 'Operators found' });
  }

  async open(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Graph' }).click();
    await expect(this.drawing).toBeVisible();
  }

  row(name: RegExp): Locator {
    return this.outline.getByRole('row', { name });
  }

  details(kind: 'Model' | 'Operator' | 'Group' | 'Value'): Locator {
    return this.page.getByRole('region', { name: kind, exact: true });
  }
}
