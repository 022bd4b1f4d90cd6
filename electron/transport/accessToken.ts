import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, as text that stands in an address and in a cookie without escapes. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What opens one host: the token in its address, and the value of the cookie that the token is exchanged for. */
export interface Credentials {
  readonly token: string;
  readonly session: string;
}

export function createCredentials(): Credentials {
  return { token: createToken(), session: createToken() };
}

/** Tokens that open the host once and only for a short while. */
export class OneTimeTokens {
  readonly #expiry = new Map<string, number>();
  readonly #lifeMs: number;

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  issue(): string {
    const token = createToken();
    this.#expiry.set(token, performance.now() + this.#lifeMs);
    return token;
  }

  /** Whether the token is good now; it is not any more afterwards. */
  redeem(given: string): boolean {
    for (const [token, expiry] of this.#expiry) {
      const alive = expiry > performance.now();
      if (alive && !isToken(given, token)) continue;
      this.#expiry.delete(token);
      if (alive) return true;
    }
    return false;
  }
}

/** Whether somebody's token is ours, in a time that does not depend on how much of it is right. */
export function isToken(given: string | null | undefined, expected: string): boolean {
  if (given === null || given === undefined) return false;
  // Equal lengths whatever was given, so that the comparison neither throws nor ends early.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Cookies ignore ports: two hosts on one machine would overwrite each other's without the port in the name. */
export function cookieName(port: number): string {
  return `theta-session-${port}`;
}

/** A session cookie that no script reads and that no other site's page sends along. */
export function sessionCookie(port: number, session: string): string {
  return `${cookieName(port)}=${session}; Path=/; HttpOnly; SameSite=Strict`;
}

/** The value of a cookie in a `Cookie` header (RFC 6265, 4.2.1); the first one where it is there twice. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return null;
}
