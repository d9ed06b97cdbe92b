import fastify from 'fastify'
import { openContext } from './context.ts'
import { registerIssueCreation } from './issue-creation.ts'
import { issueKind } from './issues.ts'
import { registerItems } from './items.ts'
import { mergeRequestKind } from './merge-requests.ts'
import { registerPeople } from './people/people.ts'
import { registerProjects } from './projects.ts'
import { registerRepository } from './repository.ts'
import { registerSettings } from './settings.ts'
import { registerUsers } from './users.ts'
import { registerVersion } from './version.ts'

/**
 * The cost of the same responses written by hand: plain Fastify and prepared SQL, without
 * contracts, query builder and layers. Only the ordinary, successful request is served.
 */
const context = openContext(process.env)
const server = fastify({ logger: false, routerOptions: { maxParamLength: 1000 } })
server.get('/-/liveness', async () => ({ status: 'ok' }))
registerVersion(server, context)
registerProjects(server, context)
registerUsers(server, context)
registerSettings(server, context)
registerPeople(server, context)
registerItems(server, context, issueKind)
registerItems(server, context, mergeRequestKind)
if (process.env.BENCH_WRITES === '1') registerIssueCreation(server, context)
registerRepository(server, context)
process.once('SIGTERM', () => process.exit(0))
await server.listen({ host: '127.0.0.1', port: Number(process.env.BENCH_PORT) })
