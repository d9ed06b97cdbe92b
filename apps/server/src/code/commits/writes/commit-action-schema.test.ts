import { contracts } from '@stithy/core'
import { isValidPath } from '@stithy/git'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSchema } from '../../../app/openapi-schemas.ts'
import { combinationsOf } from '../../../testing/combinations.ts'

const { body } = contracts.commits.create

const isDocumented = new Ajv2020({ strict: false }).compile(jsonSchema(body, 'input'))

/** Absent, cleared and valid. */
const combinations = combinationsOf({
  action: ['create', 'delete', 'move', 'update', 'chmod', undefined],
  file_path: ['a', undefined],
  content: [undefined, '', 'text'],
  previous_path: [undefined, 'b'],
  execute_filemode: [undefined, true],
})

describe('the documented actions of commits', () => {
  it.each(combinations)('are those that are accepted: %j', (action) => {
    const request = { branch: 'main', commit_message: 'Change', actions: [action] }
    expect(isDocumented(request)).toBe(body.safeParse(request).success)
  })

  it('have the paths that are accepted', () => {
    const unit = fc.constantFrom(
      'a',
      '/',
      '.',
      '..',
      '.git',
      'GIT~1',
      '\\',
      '\0',
      '\u200c',
      ' ',
      ':',
      'x',
    )
    const paths = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''))
    fc.assert(
      fc.property(paths, (path) => {
        const actions = [{ action: 'delete', file_path: path }]
        const request = { branch: 'main', commit_message: 'Change', actions }
        expect([path, isDocumented(request)]).toEqual([path, isValidPath(path)])
      }),
      { numRuns: 5000 },
    )
  })

  it('have no null or blank fields of those that their kind needs', () => {
    const actions = [
      { action: 'create', file_path: 'a', content: null },
      { action: 'move', file_path: 'a', previous_path: '' },
      { action: 'chmod', file_path: 'a', execute_filemode: null },
    ]
    for (const action of actions) {
      const request = { branch: 'main', commit_message: 'Change', actions: [action] }
      expect([isDocumented(request), body.safeParse(request).success]).toEqual([false, false])
    }
  })
})
