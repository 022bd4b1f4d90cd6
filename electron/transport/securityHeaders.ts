import { randomBytes } from 'node:crypto';

export interface ContentPolicy {
  /** For `<style>` elements that libraries of ours add at run time; never for scripts. */
  readonly styleNonce: string;
  /** Beside `'self'`: where sockets may go. */
  readonly connect?: readonly string[];
}

export function createNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Nothing but our own files: no inline script, no eval, no other host, no frames in or around the page. */
function contentSecurityPolicy({ styleNonce, connect = [] }: ContentPolicy): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every answer, in both hosts. */
export function securityHeaders(policy: ContentPolicy): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(policy),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
