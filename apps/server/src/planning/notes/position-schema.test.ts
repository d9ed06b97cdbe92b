import { contracts, type RequestedPosition, requirePositionPath } from '@stithy/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { jsonSchema } from '../../app/openapi-schemas.ts'

const { body } = contracts.mergeRequestDiscussions.create

const isDocumented = new Ajv2020({ strict: false }).compile(jsonSchema(body, 'input'))

const refs = { baseSha: 'a', startSha: 'b', headSha: 'c' }
const hashes = { base_sha: 'a', start_sha: 'b', head_sha: 'c' }

/** Absent, blank where that is absent, and valid. */
const choices = {
  position_type: ['text', 'image', undefined],
  new_path: [undefined, '', 'a.txt'],
  old_path: [undefined, 'a.txt'],
  new_line: [undefined, 1],
  old_line: [undefined, 1],
  width: [undefined, 10],
  height: [undefined, 10],
  x: [undefined, -1, 0],
  y: [undefined, 0],
}

function combinations(): Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [hashes]
  for (const [field, values] of Object.entries(choices)) {
    all = all.flatMap((each) =>
      values.map((value) => (value === undefined ? each : { ...each, [field]: value })),
    )
  }
  return all
}

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
    const wrong = combinations().filter(
      (position) => isDocumented({ body: 'Here', position }) !== isAccepted(position),
    )
    expect(wrong).toEqual([])
    expect(combinations().filter(isAccepted).length).toBeGreaterThan(100)
  })
})
