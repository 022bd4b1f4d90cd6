const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes as UTF-8; what is not valid becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/** Text of a commit in the encoding that its header names; UTF-8 when it names none or one that is not known. */
export function decodeText(bytes: Uint8Array, encoding: string | null): string {
  const label = encoding?.trim().toLowerCase() ?? 'utf-8';
  // The web's decoder takes Latin-1 for windows-1252, git does not.
  if (/^(?:iso-?8859-1|iso_8859-1|latin-?1|l1)$/.test(label)) return Buffer.from(bytes).toString('latin1');
  try {
    return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeUtf8(bytes);
  }
}
