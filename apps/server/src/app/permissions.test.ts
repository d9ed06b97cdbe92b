import {
  accessSteps,
  type CallerKind,
  type Contract,
  callerKinds,
  contracts,
  type DomainError,
  type EndpointSpec,
  refusalOf,
  type SubjectType,
  subjectPolicies,
  type Visibility,
  visibilities,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorResponseFor } from '../platform/http/errors.ts'
import {
  filledPath,
  nothing,
  pathValues,
  requiredInput,
  sentBody,
} from '../testing/fixtures/endpoint-calls.ts'
import {
  buildCallers,
  buildPermissionFixture,
  type Callers,
  type PermissionFixture,
} from '../testing/fixtures/permissions.ts'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../testing/test-server.ts'

/**
 * Every endpoint is called by every kind of caller on a public, an internal and a private project,
 * and answers what its contract and the policies say. A refusal must have the exact status and
 * body. An allowed call need not succeed: what it sends can be decoded and, where success would do
 * harm, it names nothing that exists, or fails a rule or a precondition that is checked after the
 * permission.
 */

let server: TestServer
let callers: Callers
const worlds = {} as Record<Visibility, PermissionFixture>

beforeAll(async () => {
  server = await buildTestServer()
  callers = await buildCallers(server)
  for (const visibility of visibilities) {
    worlds[visibility] = await buildPermissionFixture(server, callers, visibility)
  }
})
afterAll(() => server.close())

/**
 * Values to send where the first valid one would do harm, or would not reach the permission check.
 */
const inputs: Record<string, (fixture: PermissionFixture) => Record<string, unknown>> = {
  'GET /groups/:id/epics/:epic_iid/event_stream': () => ({ timeout_seconds: 0 }),
  'GET /issues_statistics': () => ({ scope: 'all' }),
  'GET /projects/:id/issues/:issue_iid/event_stream': () => ({ timeout_seconds: 0 }),
  'GET /projects/:id/merge_requests/:merge_request_iid/event_stream': () => ({
    timeout_seconds: 0,
  }),
  'POST /groups': () => ({ name: 'x', path: '-' }),
  'POST /groups/:id/share': ({ group }) => ({ group_id: group, group_access: 10 }),
  'PUT /projects/:id': () => ({ description: 'x' }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id':
    () => ({ resolved: true }),
  'PUT /projects/:id/transfer': () => ({ namespace: nothing }),
  'POST /projects': () => ({ name: 'x', namespace_id: nothing }),
  'POST /projects/:id/issues/:issue_iid/links': ({ project, params }) => ({
    target_project_id: project,
    target_issue_iid: params.issue_iid,
  }),
  'PUT /projects/:id/issues/:issue_iid/reorder': ({ issueId }) => ({ move_before_id: issueId }),
  'POST /projects/:id/issues/:issue_iid/move': ({ project }) => ({ to_project_id: project }),
}

/**
 * Callers who may use an endpoint, and whom it refuses then for what isn't in its path: the source
 * branch of the fixture's merge request is protected, and the administrator, who made the fixture,
 * is a member.
 */
const refusedLater: Record<string, { kinds: readonly CallerKind[]; message: string }> = {
  'POST /groups/:id/access_requests': { kinds: ['administrator'], message: '403 Forbidden' },
  'POST /projects/:id/access_requests': { kinds: ['administrator'], message: '403 Forbidden' },
  'PUT /projects/:id/merge_requests/:merge_request_iid/rebase': {
    kinds: ['non_member', 'guest', 'author', 'assignee', 'reporter', 'developer'],
    message: '403 Forbidden - Cannot push to source branch',
  },
  'PUT /suggestions/:suggestion_id/apply': {
    kinds: ['non_member', 'guest', 'author', 'assignee', 'reporter', 'developer'],
    message: '403 Forbidden - Cannot push to source branch',
  },
}

/** Undoes what a call has done where other calls would be affected. */
const undoing: Record<string, string> = {
  'POST /projects/:id/archive': '/projects/:id/unarchive',
}

async function call(endpoint: EndpointSpec, fixture: PermissionFixture, kind: CallerKind) {
  const { method } = endpoint
  const name = `${method} ${endpoint.path}`
  const input = inputs[name]?.(fixture) ?? requiredInput(endpoint)
  const token = callers.tokens[kind]
  const sent = endpoint.body === undefined ? { query: queryOf(input) } : sentBody(endpoint, input)
  const answer = await server.inject(
    method,
    filledPath(endpoint.path, pathValues(endpoint, fixture)),
    {
      ...(token === undefined ? {} : { token }),
      ...sent,
      ...(method === 'DELETE' ? { headers: { 'if-unmodified-since': longAgo } } : {}),
    },
  )
  const undo = undoing[name]
  if (undo !== undefined && answer.status < 300) {
    await server.inject('POST', undo.replace(':id', fixture.project), { token: server.root.token })
  }
  return answer
}

const longAgo = 'Tue, 01 Jan 2019 00:00:00 GMT'

function queryOf(input: Record<string, unknown>): string {
  return new URLSearchParams(input as Record<string, string>).toString()
}

/** The outcome of a call with regard to permissions. */
function outcomeOf(endpoint: EndpointSpec, { status, body }: InjectedAnswer): unknown {
  const isRefused = status === 401 || status === 403 || status >= 500
  if (isRefused || (status >= 400 && refusals(endpoint).has(body?.message))) {
    return { status, body }
  }
  return 'let through'
}

/** The messages of refusals with other statuses than 401 and 403. */
function refusals(endpoint: EndpointSpec): ReadonlySet<unknown> {
  const { auth } = endpoint
  const messages = callerKinds
    .flatMap((kind) => visibilities.map((visibility) => refusalOf(endpoint, kind, visibility)))
    .flatMap((refusal) => (refusal === undefined ? [] : [messageOf(refusal)]))
  if (typeof auth === 'string' || auth.on === undefined) return new Set(messages)
  const found = accessSteps(subjectPolicies, auth).filter(({ subject }) => !isNeverAbsent(subject))
  const titles = found.map(({ subject }) => subjectPolicies[subject as SubjectType].title)
  return new Set([...messages, ...titles.map((title) => `404 ${title} Not Found`)])
}

function messageOf(refusal: DomainError): unknown {
  return (errorResponseFor(refusal).body as { message?: unknown }).message
}

/** Membership is looked up after the permission, under the same title. */
function isNeverAbsent(subject: string): boolean {
  return subject.endsWith('_member')
}

function expectedOutcome(
  endpoint: EndpointSpec,
  kind: CallerKind,
  visibility: Visibility,
): unknown {
  const refusal = refusalOf(endpoint, kind, visibility)
  if (refusal === undefined) return outcomeWhenAllowed(endpoint, kind)
  const { status, body } = errorResponseFor(refusal)
  return { status, body }
}

function outcomeWhenAllowed({ method, path }: EndpointSpec, kind: CallerKind): unknown {
  const later = refusedLater[`${method} ${path}`]
  if (!later?.kinds.includes(kind)) return 'let through'
  return { status: 403, body: { message: later.message } }
}

const endpoints = Object.values<Contract>(contracts)
  .flatMap((contract) => Object.values(contract))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe.each(visibilities)('visibility %s', (visibility) => {
  const endAs = async (endpoint: EndpointSpec, kind: CallerKind) => {
    const answer = await call(endpoint, worlds[visibility], kind)
    return { kind, outcome: outcomeOf(endpoint, answer) }
  }

  it.each(endpoints)(
    '%s answers every kind of caller as its contract says',
    async (_, endpoint) => {
      const expected = callerKinds.map((kind) => {
        return { kind, outcome: expectedOutcome(endpoint, kind, visibility) }
      })
      if (endpoint.method === 'GET') {
        const outcomes = await Promise.all(callerKinds.map((kind) => endAs(endpoint, kind)))
        return expect(outcomes).toEqual(expected)
      }
      // Calls change what later calls find.
      const outcomes = []
      for (const kind of callerKinds) outcomes.push(await endAs(endpoint, kind))
      expect(outcomes).toEqual(expected)
    },
  )
})
