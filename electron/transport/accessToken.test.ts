import { describe, expect, it } from 'vitest';
import { createToken, isToken, OneTimeTokens, readCookie } from './accessToken';

describe('tokens', () => {
  it('are compared whole', () => {
    const token = createToken();
    expect(isToken(token, token)).toBe(true);
    for (const wrong of [undefined, null, '', token.slice(1), `${token}x`, token.toLowerCase().toUpperCase(), createToken()])
      expect(isToken(wrong, token)).toBe(false);
  });

  it('for one time lose their worth with time', () => {
    const expired = new OneTimeTokens(-1);
    expect(expired.redeem(expired.issue())).toBe(false);
    const alive = new OneTimeTokens(60_000);
    const token = alive.issue();
    expect(alive.redeem(createToken())).toBe(false);
    expect([alive.redeem(token), alive.redeem(token)]).toEqual([true, false]);
  });
});

describe('readCookie', () => {
  it.each([
    ['a=1; theta=x; b=2', 'x'],
    ['theta=x', 'x'],
    ['theta=x; theta=y', 'x'],
    ['other-theta=x', null],
    ['theta', null],
    ['theta=', ''],
    ['', null],
    [undefined, null],
    ['a=theta=x', null],
  ])('finds in %j %j', (header, value) => {
    expect(readCookie(header, 'theta')).toBe(value);
  });
});
