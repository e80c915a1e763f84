/** Browsers by a sign in their user agent: the first match counts. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const systems = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const named = (signs: readonly (readonly [string, RegExp])[], text: string) =>
  signs.find(([, sign]) => sign.test(text))?.[0]

/**
 * `Chrome sous Windows`, from a user agent; the user agent itself if it is unknown.
 * @param together combines the two in the user's language
 */
export function deviceName(userAgent: string, together: (browser: string, system: string) => string): string {
  const [browser, system] = [named(browsers, userAgent), named(systems, userAgent)]
  if (browser !== undefined && system !== undefined) return together(browser, system)
  return browser ?? system ?? userAgent
}
