import { formatCount } from '../../shared/base/formatBytes';

/** A number to be read at a glance: four significant digits, thousands, an exponent only outside of 0.001 to 10 million. */
export function formatNumber(value: number, digits = 4): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e7) return shortExponent(value, digits);
  if (Number.isInteger(value)) return formatCount(value);
  if (size >= 10 ** (digits - 1)) return formatCount(Math.round(value));
  const [whole = '', fraction] = trimZeros(value.toPrecision(digits)).split('.');
  return fraction === undefined ? formatCount(Number(whole)) : `${formatCount(Number(whole)).replace(/^0$/, value < 0 ? '-0' : '0')}.${fraction}`;
}

/** Every digit that the number has, as a programming language reads it back. */
export function formatExactNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** `12.3 %`; below a tenth of a percent `< 0.1 %`. @param share 0 to 1 */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  if (share === 0) return '0 %';
  if (share < 0.001) return '< 0.1 %';
  if (share > 0.999 && share < 1) return '> 99.9 %';
  return `${trimZeros((share * 100).toFixed(1))} %`;
}

function shortExponent(value: number, digits: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) {
    const plain = formatCount(value);
    if (plain.length <= 12) return plain;
  }
  const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
  return `${trimZeros(mantissa)}e${exponent.replace('+', '')}`;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
