import { describe, expect, it } from 'vitest';
import { leaseBytes } from './leaseBytes';

describe('leased memory', () => {
  it('is nobody else’s until it is given back', () => {
    const leases = Array.from({ length: 5 }, () => leaseBytes(1000));
    expect(new Set(leases.map(({ bytes }) => bytes.buffer)).size).toBe(5);
    for (const { bytes } of leases) expect(bytes.byteLength).toBe(1000);
    for (const { release } of leases) release();
    const again = Array.from({ length: 5 }, () => leaseBytes(1000));
    expect(new Set(again.map(({ bytes }) => bytes.buffer)).size).toBe(5);
    for (const { release } of again) release();
  });

  it('is used again, also for a little less, however often it is given back', () => {
    const first = leaseBytes(4000);
    first.release();
    first.release();
    const [second, third] = [leaseBytes(3000), leaseBytes(3000)];
    expect(second.bytes.buffer).toBe(first.bytes.buffer);
    expect(second.bytes.byteLength).toBe(3000);
    expect(third.bytes.buffer).not.toBe(first.bytes.buffer);
    first.release();
    expect(leaseBytes(4000).bytes.buffer).not.toBe(first.bytes.buffer);
  });

  it('is not kept where it is large, nor given to who asks for a small part of it', () => {
    const large = leaseBytes(20 * 1024 * 1024);
    large.release();
    expect(leaseBytes(20 * 1024 * 1024).bytes.buffer).not.toBe(large.bytes.buffer);
    const some = leaseBytes(1024 * 1024);
    some.release();
    expect(leaseBytes(10).bytes.buffer).not.toBe(some.bytes.buffer);
  });
});
