/** By the luminance of WCAG: whether black letters have more contrast on a colour than white ones. @param rgb 0xrrggbb */
export function prefersDarkText(rgb: number): boolean {
  const linear = (channel: number) => (channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255].map((channel) => linear(channel / 255));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) > 0.18;
}
