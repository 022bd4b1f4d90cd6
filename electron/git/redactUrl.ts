/**
 * A remote's address without what could be secret: user name and password of any scheme, the user of `user@host:path`,
 * query and fragment of http addresses (access tokens travel there). Local paths stay as they are.
 */
export function redactUrl(url: string): string {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*(?:::[A-Za-z][A-Za-z0-9+.-]*)?:\/\/)(.*)$/s.exec(url);
  if (scheme !== null) {
    const [, prefix = '', rest = ''] = scheme;
    const end = rest.search(/[/?#]/);
    const authority = end === -1 ? rest : rest.slice(0, end);
    const path = end === -1 ? '' : rest.slice(end);
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    return `${prefix}${host}${/^https?:\/\/$/i.test(prefix) ? path.replace(/[?#].*$/s, '') : path}`;
  }
  const scp = /^[^/:@]+@([^/:]+:.*)$/s.exec(url);
  return scp?.[1] ?? url;
}
