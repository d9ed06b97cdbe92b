import type { Environment } from '@stithy/core'
import type { EnvironmentRow } from '@stithy/store'

/** Presents an environment. */
export function presentEnvironment(row: EnvironmentRow): Environment {
  const { id, name, slug, externalUrl, state } = row
  return { id, name, slug, external_url: externalUrl, state }
}
