import type { App } from '../../platform/app.ts'
import { signInPath } from './form-cookie.ts'

/** Where visitors are sent from the start page: `home_page_url`, or to sign in. */
export function visitorHome(app: App): string {
  const { home_page_url: elsewhere } = app.settings
  return elsewhere === null || isHome(app, elsewhere) ? signInPath : elsewhere
}

/** Whether an address is the page that would redirect to it. */
function isHome({ config }: App, address: string): boolean {
  const url = URL.parse(address, config.externalUrl)
  return url?.origin === new URL(config.externalUrl).origin && url.pathname === '/'
}
