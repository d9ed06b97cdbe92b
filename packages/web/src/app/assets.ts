import { hash } from 'node:crypto'
import { bundledScript } from '#bundled-script'
import { icon, iconPath } from './icon.ts'
import { stylesheet, stylesheetPath } from './stylesheet.ts'

/** A file that the pages need; its name changes with its contents. */
export interface Asset {
  path: string
  type: string
  body: string
}

const styleAsset: Asset = {
  path: stylesheetPath,
  type: 'text/css; charset=utf-8',
  body: stylesheet,
}

const iconAsset: Asset = { path: iconPath, type: 'image/svg+xml', body: icon }

let script: Promise<Asset> | undefined

/** The script of the pages, made once. */
export function scriptAsset(): Promise<Asset> {
  script ??= bundledScript().then((body) => ({
    path: `/-/assets/web-${hash('sha256', body, 'hex').slice(0, 16)}.js`,
    type: 'text/javascript; charset=utf-8',
    body,
  }))
  return script
}

/** The file of a path; undefined if there is none. */
export async function findAsset(path: string): Promise<Asset | undefined> {
  const asked = [styleAsset, iconAsset].find((each) => each.path === path)
  if (asked !== undefined) return asked
  const asset = await scriptAsset()
  return path === asset.path ? asset : undefined
}
