/** Whether a key asks for a copy of what is active, and not of text that is selected. */
export function asksToCopy({ ctrlKey, metaKey, key }: { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly key: string }): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === 'c' && window.getSelection()?.isCollapsed !== false;
}

/** Puts text on the clipboard; says whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For hosts that deny the clipboard permission: a command on a selection needs none. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Inside an open dialog the focus may not leave it, so the field goes there.
  (focused?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
