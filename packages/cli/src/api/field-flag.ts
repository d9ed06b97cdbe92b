import { parameterNoun } from '@stithy/core'
import type { Field } from './field.ts'

/** `perPage`, `per_page` → `per-page`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (char) => `-${char.toLowerCase()}`).replaceAll('_', '-')
}

const commonNames = ['json', 'url', 'token', 'all', 'output']

/**
 * The flag of a parameter. A path parameter loses its `Id` suffix: `--project`, `--merge-request`;
 * unless that is a common option, or another parameter.
 */
export function flagOf({ name, inPath, isAmbiguous }: Field): string {
  const full = kebabCase(name)
  if (!inPath || isAmbiguous) return `--${full}`
  const noun = kebabCase(parameterNoun(name))
  return `--${commonNames.includes(noun) ? full : noun}`
}
