import { expect, type Locator, type Page } from '@playwright/test';

/** The window with a repository open, driven by role and name as a user of assistive technology would. */
export class WorkspacePage {
  readonly history: Locator;
  readonly groups: Locator;
  readonly commit: Locator;
  readonly detail: Locator;
  readonly sidebar: Locator;

  constructor(readonly page: Page) {
    this.history = page.getByRole('treegrid', { name: 'Commit history' });
    this.groups = page.getByRole('treegrid', { name: 'Parameter groups' });
    this.commit = page.getByRole('region', { name: 'Commit' });
    this.detail = page.getByRole('region', { name: 'Parameter group' });
    this.sidebar = page.getByRole('navigation', { name: 'Repository' });
  }

  async isReady(): Promise<void> {
    await expect(this.history.getByRole('row', { selected: true })).toHaveCount(1);
  }

  commitRow(title: string | RegExp): Locator {
    return this.history.getByRole('row').filter({ hasText: title });
  }

  async chooseCommit(title: string | RegExp): Promise<void> {
    await this.commitRow(title).first().click();
    await expect(this.commit.getByRole('heading').first()).toContainText(title);
  }

  async chooseCheckpoint(path: string): Promise<void> {
    await this.sidebar.getByRole('button', { name: new RegExp(`^${path.replaceAll('.', '\\.')}`) }).click();
    await expect(this.commit).toContainText(path);
  }

  /** Shows a group by its full name through the filter, and chooses it. */
  async chooseGroup(name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Filter parameter groups' }).fill(name);
    await this.groups
      .getByRole('row', { name: new RegExp(name.replaceAll('.', '\\.')) })
      .last()
      .click();
    await expect(this.detail.getByRole('heading', { level: 2 })).toHaveText(name);
  }

  /** Exports the chosen version to a path that does not exist yet. */
  async exportTo(path: string, format: RegExp): Promise<void> {
    await this.commit.getByRole('button', { name: /^Export/ }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Export version' });
    await dialog.getByRole('radio', { name: format }).check();
    await dialog.getByRole('textbox', { name: 'Destination' }).fill(path);
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  }
}
