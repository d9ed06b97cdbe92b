import { created } from '../clients/calls.ts'
import { type HookReceiver, startHookReceiver } from '../clients/hook-receiver.ts'
import { buildWorkTree, mustGit, remoteUrl } from '../git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../test-server.ts'

/** The token of the hooks, with non-ASCII characters. */
export const hookToken = 'tøp secret token'

/** A project whose first commit was pushed to `main` before any hook existed. */
export interface HookedProject {
  project: Json
  tree: string
  push: (...refs: string[]) => Promise<string>
  /** Adds a hook to the receiver, with `hookToken`. */
  hook: (body?: object) => Promise<Json>
}

/** A server that may deliver to local addresses, and a receiver of its hooks. */
export interface HookWorld {
  server: TestServer
  receiver: HookReceiver
  buildProject: () => Promise<HookedProject>
  /** The bodies delivered since the last call, oldest first. */
  delivered: () => Promise<Json[]>
  /** Delivers what is pending without an answer, and discards it. */
  flush: () => Promise<void>
  close: () => Promise<void>
}

/** The timeout of hooks is half a second. */
export async function startHookWorld(): Promise<HookWorld> {
  const server = await buildTestServer({ allowLocalHooks: true, webhookTimeoutMs: 500 })
  const receiver = await startHookReceiver()
  return {
    server,
    receiver,
    buildProject: () => buildHookedProject(server, receiver),
    async delivered() {
      await server.runJobs()
      return receiver.received.splice(0).map(({ body }) => body)
    },
    async flush() {
      receiver.answer = () => ({ status: 200 })
      server.advance(600_000)
      await server.runJobs()
      receiver.received.length = 0
      receiver.maxConcurrent = 0
    },
    async close() {
      await receiver.close()
      await server.close()
    },
  }
}

async function buildHookedProject(
  server: TestServer,
  receiver: HookReceiver,
): Promise<HookedProject> {
  const project = await server.buildProject({ visibility: 'public', description: 'For hooks' })
  const tree = await buildWorkTree({ 'a.txt': 'a\n' })
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  const push = (...refs: string[]) => mustGit(tree, 'push', remote, ...refs)
  await push('main')
  await server.runJobs()
  const hook = async (body: object = {}) => {
    const values = { url: `${receiver.url}/hook`, token: hookToken, ...body }
    return created(server, `/projects/${project.id}/hooks`, values)
  }
  return { project, tree, push, hook }
}
