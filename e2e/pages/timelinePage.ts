import { expect, type Locator, type Page } from '@playwright/test';

/** The view of parameters over all versions, driven by role, name and keys. */
export class TimelinePage {
  readonly grid: Locator;
  readonly filter: Locator;
  readonly view: Locator;

  constructor(readonly page: Page) {
    this.view = page.getByRole('region', { name: 'Parameters', exact: true });
    this.grid = page.getByRole('treegrid', { name: 'Parameter groups by version' });
    this.filter = page.getByRole('searchbox', { name: 'Filter by name' });
  }

  async open(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Parameters' }).click();
    await expect(this.grid).toBeVisible();
  }

  /** The cell with the keyboard, in words. */
  get active(): Locator {
    return this.grid.getByRole('gridcell');
  }

  row(label: string): Locator {
    return this.grid.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name: new RegExp(`^${label}(?:\\d| |$)`) }) });
  }

  column(title: RegExp): Locator {
    return this.grid.getByRole('columnheader', { name: title });
  }

  /** Names of the rows in view, from top to bottom. */
  async labels(): Promise<string[]> {
    const rows = await this.grid.getByRole('rowheader').evaluateAll((headers) =>
      headers
        .map((header) => ({ top: header.getBoundingClientRect().top, text: header.querySelector('[title]')?.getAttribute('title') ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return rows;
  }
}
