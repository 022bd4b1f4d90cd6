import { expect, type Locator, type Page } from '@playwright/test';

/** The dialog that leads from files to a commit, by role and name. */
export class TrackDialog {
  readonly dialog: Locator;
  readonly place: Locator;
  readonly message: Locator;
  readonly preview: Locator;
  readonly groups: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: /^(Track|Commit)/ });
    this.place = this.dialog.getByRole('textbox', { name: 'Place in the repository' });
    this.message = this.dialog.getByRole('textbox', { name: 'Message' });
    this.preview = this.dialog.getByRole('region', { name: 'Preview' });
    this.groups = this.preview.getByRole('treegrid');
  }

  /** Drops files of this machine on the window, as a file manager does. */
  async drop(...files: readonly string[]): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files: [...files], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
    }
    await session.detach();
  }

  async isCompared(): Promise<void> {
    await expect(this.preview).toContainText('Compared bit for bit');
  }

  async commit(): Promise<void> {
    await this.dialog.getByRole('button', { name: /^Commit/ }).click();
    await expect(this.dialog).toBeHidden({ timeout: 30_000 });
  }
}
