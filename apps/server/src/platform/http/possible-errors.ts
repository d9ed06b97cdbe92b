import { type EndpointSpec, type ErrorCode, hasContent } from '@stithy/core'

/**
 * Every call may name a token or a user to impersonate, both of which may be wrong, has parameters,
 * counts against limits and waits for the database.
 */
const everyCall = [
  'invalid_parameter',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'too_many_requests',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** A read may answer that nothing has changed since the entity tag of the request. */
const reads = ['not_modified'] as const satisfies readonly ErrorCode[]

/** A read of bytes may ask for some of them, or for those of an entity tag. */
const contents = ['precondition_failed', 'range_not_satisfiable'] as const satisfies ErrorCode[]

/** A write has a body, and what it refers to may be deleted at the same time. */
const writes = [
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'insufficient_storage',
] as const satisfies readonly ErrorCode[]

/** A call on a project may run git, whose time and output are limited. */
const projectCalls = ['unprocessable', 'payload_too_large'] as const satisfies readonly ErrorCode[]

/** A project or group may be named by a path that it had before. */
const movable = ['moved'] as const satisfies readonly ErrorCode[]

/** The errors that an endpoint may answer with: those of every call, and those of its contract. */
export function possibleErrors(endpoint: EndpointSpec): readonly ErrorCode[] {
  const { method, path, errors = [] } = endpoint
  const ofMethod = method === 'GET' ? reads : writes
  const ofSubject = path.startsWith('/projects/') ? projectCalls : []
  const ofBytes = hasContent(endpoint) ? contents : []
  const ofPath = method === 'GET' && /^\/(?:projects|groups)\/:id(?:\/|$)/.test(path) ? movable : []
  return [...new Set([...everyCall, ...ofMethod, ...ofPath, ...ofSubject, ...ofBytes, ...errors])]
}
