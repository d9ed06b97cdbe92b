import { type EndpointSpec, endpoint, projectsContract, versionContract } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import type { CheckedAnswer } from '../platform/app.ts'
import { answerProblem, watchAnswers } from './answer-check.ts'

const json = 'application/json'
const version = JSON.stringify({ version: '1', revision: 'abc' })

function answer(parts: Partial<CheckedAnswer>): CheckedAnswer {
  return { request: 'GET /version', status: 200, contentType: json, text: version, ...parts }
}

const raw: EndpointSpec = endpoint({
  ...versionContract.show,
  kind: 'raw',
  contentTypes: ['text/plain'],
  response: { 200: null },
})

describe('answerProblem', () => {
  it.each<[string, CheckedAnswer]>([
    ['a declared body', answer({})],
    ['an error of every call', answer({ status: 404, text: '{"message":"404 Not found"}' })],
    ['fields that are invalid', answer({ status: 400, text: '{"message":{"name":["is taken"]}}' })],
    ['that nothing has changed', answer({ status: 304, contentType: undefined, text: undefined })],
  ])('finds none in %s', (_, given) => {
    expect(answerProblem(versionContract.show, given)).toBeUndefined()
  })

  it.each<[string, CheckedAnswer, RegExp]>([
    ['a status that is not declared', answer({ status: 201 }), /does not declare this status/],
    ['an error that is not declared', answer({ status: 418, text: '{}' }), /this status/],
    ['another content type', answer({ contentType: `${json}; charset=utf-8` }), /content type/],
    ['a field too much', answer({ text: version.replace('}', ',"secret":1}') }), /\.secret/],
    ['a missing field', answer({ text: '{"version":"1"}' }), /revision/],
    ['an error in another shape', answer({ status: 404, text: '{"reason":"x"}' }), /./],
  ])('names %s', (_, given, problem) => {
    expect(answerProblem(versionContract.show, given)).toMatch(problem)
  })

  it('compares the media type of bytes', () => {
    const text = { text: undefined, contentType: 'text/plain; charset=utf-8' }
    expect(answerProblem(raw, answer(text))).toBeUndefined()
    expect(answerProblem(raw, answer({ contentType: 'image/png' }))).toMatch(/image\/png/)
  })

  it('names a body that a contract does not declare', () => {
    const { unshare } = projectsContract
    expect(answerProblem(unshare, answer({ status: 204, text: '{}' }))).toMatch(/no body/)
  })
})

describe('watchAnswers', () => {
  it('throws in the end with each answer that differs from its contract, once', () => {
    const { check, assertAllMatched } = watchAnswers()
    check(versionContract.show, answer({}))
    expect(assertAllMatched).not.toThrow()
    for (const status of [201, 201]) check(versionContract.show, answer({ status }))
    expect(assertAllMatched).toThrow(
      /^Answers against their contracts:\nGET \/version 201: [^\n]+$/,
    )
  })
})
