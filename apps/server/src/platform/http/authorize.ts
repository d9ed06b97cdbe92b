import {
  type AccessStep,
  accessSteps,
  type Decision,
  DomainError,
  type EndpointSpec,
  forbidden,
  notFound,
  refusalError,
  type SubjectAbilities,
} from '@stithy/core'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { Caller } from './call.ts'
import type {
  Decided,
  DecidedCaller,
  SubjectRequest,
  Subjects,
  SubjectType,
  SubjectTypes,
} from './subjects.ts'

/** Authorizes a call, and loads its subject. */
export type Authorize = (
  app: App,
  caller: Caller,
  params: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/**
 * Compiles the authorization of a contract, once per route. The subjects on the path to the one
 * that the contract names are loaded once each, from the outside in. A subject that the caller may
 * not see is absent (404), an action that they may not do on a visible subject is forbidden (403),
 * and a caller without a token is asked for one (401). Undefined when there is nothing to
 * authorize.
 */
export function compileAuthorization(
  endpoint: Pick<EndpointSpec, 'auth' | 'tier' | 'subjectParam'>,
  subjects: SubjectTypes,
): Authorize | undefined {
  const { auth, tier, subjectParam = 'id' } = endpoint
  const isOpen = typeof auth === 'string' || auth.on === undefined
  if (isOpen && tier === undefined) return undefined
  const steps = isOpen ? [] : stepsOf(subjects, auth)
  return async (app, caller, params) => {
    if (tier !== undefined && !tierAllows(app.config.tier, tier)) throw forbidden()
    return pass(steps, { app, caller, params, ref: String(params[subjectParam]) })
  }
}

interface Step {
  type: SubjectType
  abilities: readonly string[]
}

function stepsOf(subjects: SubjectTypes, auth: Parameters<typeof accessSteps>[1]): Step[] {
  const types = subjects as Readonly<Record<string, SubjectType>>
  const policies = Object.fromEntries(
    Object.entries(types).map(([name, { policy }]) => [name, policy]),
  )
  return accessSteps(policies, auth).map(({ subject, abilities }: AccessStep) => {
    const type = types[subject]
    if (type === undefined) throw new Error(`no loader for the subject ${subject}`)
    return { type, abilities }
  })
}

async function pass(
  steps: readonly Step[],
  request: Omit<SubjectRequest, 'parent' | 'abilities'>,
): Promise<unknown> {
  let subject: unknown
  for (const { type, abilities } of steps) {
    subject = await type.find({ ...request, abilities, parent: subject })
    if (subject === undefined) throw await missing(steps, type, request)
    const facts = type.factsOf(subject, request.caller)
    for (const ability of abilities) {
      const decision = type.policy.decide(ability, request.caller.facts, facts)
      enforce(decision, request.caller, type.policy.title)
    }
  }
  return subject
}

/** The error for a subject that does not exist: who may see it learns where it is now. */
async function missing(
  steps: readonly Step[],
  type: SubjectType,
  request: Omit<SubjectRequest, 'parent' | 'abilities'>,
): Promise<DomainError> {
  const { title } = type.policy
  const movedId = type === steps[0]?.type ? await type.findMoved?.(request) : undefined
  if (movedId === undefined) return notFound(title)
  await pass(steps, { ...request, ref: String(movedId) })
  return new DomainError('moved', { message: title, movedId })
}

/** The policy's decision on one subject that is loaded already. */
export function decideOn<Name extends keyof Subjects & keyof SubjectAbilities>(
  app: App,
  name: Name,
  ability: SubjectAbilities[Name],
  subject: Decided<Name>,
  caller: DecidedCaller,
): Decision {
  const type: SubjectTypes[Name] = app.subjects[name]
  return type.policy.decide(ability, caller.facts, type.factsOf(subject, caller))
}

/**
 * Throws unless the decision allows the call.
 * @param title of the subject, where it may be absent for the caller
 * @throws DomainError `unauthorized` or `forbidden`, or the decision's own refusal.
 */
export function enforce(decision: Decision, { facts }: DecidedCaller, title?: string): void {
  if (!decision.allowed) throw refusalError(decision, facts, title)
}
