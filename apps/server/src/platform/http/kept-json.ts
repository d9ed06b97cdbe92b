import { entityTag } from './entity-tag.ts'

/** A body of responses as text, with its entity tag. */
interface KeptJson {
  text: string
  etag: string
}

const kept = new WeakMap<object, KeptJson>()

/**
 * Serialises a body that many responses share once for all of them; it must not change afterwards.
 * This takes place in one go, so its texts together have some megabytes at most.
 */
export function keepJson<T extends object>(body: T): T {
  const text = JSON.stringify(body)
  kept.set(body, { text, etag: entityTag(text) })
  return body
}

/** The text of a body that was kept; undefined for any other. */
export function keptJsonOf(body: unknown): KeptJson | undefined {
  return typeof body === 'object' && body !== null ? kept.get(body) : undefined
}
