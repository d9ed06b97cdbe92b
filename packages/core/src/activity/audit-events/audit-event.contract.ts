import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { type AuthOn, endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOf, optional } from '../../platform/contract/fields.ts'
import { AuditEvent, auditEntityTypes } from './audit-event.schema.ts'

const times = optional({ created_after: dateTime(), created_before: dateTime() })
const params = z.object({ audit_event_id: integer({ min: 1 }) })
const survival = 'Newest first. Events outlive what they are about.'

/** Builds the audit endpoints of projects or groups. */
function auditEndpoints<const Path extends string, const Auth extends AuthOn>(
  path: Path,
  auth: Auth,
  { a, scope }: { a: string; scope: string },
) {
  return {
    list: endpoint({
      name: 'auditEvents.list',
      method: 'GET',
      path,
      query: z.object(times),
      paginated: true,
      response: { 200: z.array(AuditEvent) },
      auth,
      tier: 'premium',
      docs: { summary: `List audit events of ${a}`, description: `${survival} ${scope}` },
    }),
    show: endpoint({
      name: 'auditEvents.show',
      method: 'GET',
      path: `${path}/:audit_event_id` as const,
      params,
      response: { 200: AuditEvent },
      auth,
      errors: ['not_found'],
      tier: 'premium',
      docs: { summary: `Show an audit event of ${a}` },
    }),
  }
}

const administrators = { on: 'instance', ability: 'administer' } as const

/** Audit events of the whole instance. */
export const auditEventsContract = {
  list: endpoint({
    name: 'auditEvents.list',
    method: 'GET',
    path: '/audit_events',
    query: z.object({
      ...times,
      ...optional({ entity_type: oneOf(auditEntityTypes), entity_id: integer({ min: 1 }) }),
    }),
    paginated: true,
    response: { 200: z.array(AuditEvent) },
    auth: administrators,
    docs: {
      summary: 'List audit events',
      description: `${survival} \`entity_id\` needs \`entity_type\`.`,
    },
  }),
  show: endpoint({
    name: 'auditEvents.show',
    method: 'GET',
    path: '/audit_events/:audit_event_id',
    params,
    response: { 200: AuditEvent },
    auth: administrators,
    errors: ['not_found'],
    docs: { summary: 'Show an audit event' },
  }),
}

export const groupAuditEventsContract = auditEndpoints(
  '/groups/:id/audit_events',
  { on: 'group', ability: 'read_group_audit_events' },
  { a: 'a group', scope: 'Those of subgroups and projects are not included.' },
)

export const projectAuditEventsContract = auditEndpoints(
  '/projects/:id/audit_events',
  { on: 'project', ability: 'read_audit_events' },
  { a: 'a project', scope: 'Those of its group are not included.' },
)
