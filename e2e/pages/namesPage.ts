import { expect, type Locator, type Page } from '@playwright/test';

/** Names and edits of the opened graph, driven by role, name and keys. */
export class NamesPage {
  readonly toolbar: Locator;
  readonly panel: Locator;
  readonly table: Locator;
  readonly filter: Locator;
  readonly review: Locator;

  constructor(readonly page: Page) {
    this.toolbar = page.getByRole('toolbar', { name: 'Edits of the graph' });
    this.panel = page.getByRole('region', { name: 'Names', exact: true });
    this.table = this.panel.getByRole('treegrid', { name: 'Initializers' });
    this.filter = this.panel.getByRole('searchbox', { name: 'Filter the names' });
    this.review = page.getByRole('dialog', { name: /^(Rename|Set|Remove|Name|Move|Review)/ });
  }

  async open(): Promise<void> {
    await this.toolbar.getByRole('button', { name: 'Names' }).click();
    await expect(this.table).toBeVisible();
  }

  /** The row of an initializer by its whole name as it is now. */
  row(name: string): Locator {
    return this.table.getByRole('row').filter({ has: this.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }) });
  }

  /** Cell by the head of its column. */
  cell(name: string, column: 'New name' | 'Proposal' | 'Why'): Locator {
    return this.row(name).getByRole('gridcell').nth({ 'New name': 5, Proposal: 6, Why: 7 }[column]);
  }

  /** Chooses a command of the menu of edits. */
  async edit(name: string | RegExp): Promise<void> {
    await this.toolbar.getByRole('button', { name: 'Edit' }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  /** Writes a new name into the table by the keyboard. */
  async write(name: string, to: string): Promise<void> {
    await this.row(name).getByRole('gridcell').nth(1).click();
    await this.table.focus();
    await this.page.keyboard.press('F2');
    await this.page.keyboard.type(to);
    await this.page.keyboard.press('Enter');
  }
}
