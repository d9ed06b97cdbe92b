import { contracts, type RequestedPosition, requirePositionPath } from '@stithy/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { jsonSchema } from '../../app/openapi-schemas.ts'
import { combinationsOf } from '../../testing/combinations.ts'

const { body } = contracts.mergeRequestDiscussions.create

const isDocumented = new Ajv2020({ strict: false }).compile(jsonSchema(body, 'input'))

const refs = { baseSha: 'a', startSha: 'b', headSha: 'c' }

/** Absent, blank where that is absent, and valid. */
const combinations = combinationsOf({
  base_sha: ['a'],
  start_sha: ['b'],
  head_sha: ['c'],
  position_type: ['text', 'image', undefined],
  new_path: [undefined, '', 'a.txt'],
  old_path: [undefined, 'a.txt'],
  new_line: [undefined, 1],
  old_line: [undefined, 1],
  width: [undefined, 10],
  height: [undefined, 10],
  x: [undefined, -1, 0],
  y: [undefined, 0],
})

function isAccepted(position: Record<string, unknown>): boolean {
  const parsed = body.safeParse({ body: 'Here', position })
  if (!parsed.success) return false
  try {
    requirePositionPath(parsed.data.position as RequestedPosition, refs)
    return true
  } catch {
    return false
  }
}

describe('the documented positions of notes', () => {
  it('are those that are accepted', () => {
    const wrong = combinations.filter(
      (position) => isDocumented({ body: 'Here', position }) !== isAccepted(position),
    )
    expect(wrong).toEqual([])
    expect(combinations.filter(isAccepted).length).toBeGreaterThan(100)
  })
})
