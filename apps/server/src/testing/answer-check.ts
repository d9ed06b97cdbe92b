import { isDeepStrictEqual } from 'node:util'
import type { EndpointSpec } from '@stithy/core'
import type { z } from 'zod'
import type { App, CheckedAnswer } from '../platform/app.ts'
import { ErrorBody } from '../platform/http/error-body.ts'
import { statusOf } from '../platform/http/errors.ts'
import { possibleErrors } from '../platform/http/possible-errors.ts'

/** What all answers to a test are compared with: the contracts, from which OpenAPI is derived. */
export interface AnswerWatch {
  check: NonNullable<App['checkAnswer']>
  /** @throws Error that lists the answers that their contract does not declare. */
  assertAllMatched: () => void
}

/** Compares the answers of one server with their contracts. */
export function watchAnswers(): AnswerWatch {
  const problems = new Map<string, string>()
  return {
    check: (endpoint, answer) => {
      const problem = answerProblem(endpoint, answer)
      if (problem === undefined) return
      const where = `${endpoint.method} ${endpoint.path} ${answer.status}`
      problems.set(where, `${where}: ${problem} (${answer.request.slice(0, 200)})`)
    },
    assertAllMatched: () => {
      if (problems.size === 0) return
      throw new Error(`Answers against their contracts:\n${[...problems.values()].join('\n')}`)
    },
  }
}

/**
 * What an answer has that its contract does not declare: a status, a media type, a field or a
 * value; undefined if it matches. A 500 is a failure of its own, which tests ask for.
 */
export function answerProblem(endpoint: EndpointSpec, answer: CheckedAnswer): string | undefined {
  const { status, contentType, text } = answer
  if (status === 500) return undefined
  const schema = endpoint.response[status]
  if (schema === undefined) return errorProblem(endpoint, answer)
  if (endpoint.kind === 'raw') return rawProblem(endpoint, contentType)
  if (schema === null) return text ? 'the contract declares no body' : undefined
  return jsonProblem(schema, answer)
}

function errorProblem(endpoint: EndpointSpec, answer: CheckedAnswer): string | undefined {
  const declared = possibleErrors(endpoint).map(statusOf)
  if (!declared.includes(answer.status)) return 'the contract does not declare this status'
  // A throttle of the application settings answers as v4's does.
  if (answer.status === 429 && answer.text === 'Retry later\n') return undefined
  if (answer.status === 304) return answer.text ? 'a 304 has no body' : undefined
  return jsonProblem(ErrorBody, answer)
}

function rawProblem({ contentTypes = [] }: EndpointSpec, contentType = 'none'): string | undefined {
  const [mediaType = ''] = contentType.split(';')
  return contentTypes.includes(mediaType)
    ? undefined
    : `the contract does not declare the media type ${contentType}`
}

function jsonProblem(
  schema: z.ZodType,
  { contentType, text = '' }: CheckedAnswer,
): string | undefined {
  if (contentType !== 'application/json') return `the content type is ${contentType}`
  const body: unknown = JSON.parse(text)
  const parsed = schema.safeParse(body)
  if (!parsed.success) return parsed.error.message
  if (isDeepStrictEqual(parsed.data, body)) return undefined
  return `fields that the contract does not declare: ${difference(body, parsed.data)}`
}

/** Paths that only one of the values has. */
function difference(left: unknown, right: unknown, path = ''): string {
  if (typeof left !== 'object' || left === null) return isDeepStrictEqual(left, right) ? '' : path
  const other = (typeof right === 'object' && right !== null ? right : {}) as Record<
    string,
    unknown
  >
  return Object.entries(left)
    .map(([key, value]) => difference(value, other[key], `${path}.${key}`))
    .filter((text) => text !== '')
    .join(', ')
}
