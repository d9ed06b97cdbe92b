import type { Web } from '@stithy/web/pages'

let web: Promise<Web> | undefined

/** The web pages, loaded by the first request for one: a server that only programs call does without. */
export function loadWeb(): Promise<Web> {
  web ??= import('@stithy/web/pages').then(({ createWeb }) => createWeb())
  return web
}
