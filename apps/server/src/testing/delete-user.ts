import type { TestServer } from './test-server.ts'

/** Deletes a user, and runs the jobs that finish it. */
export async function deleteUser(server: TestServer, id: number): Promise<void> {
  const { status } = await server.inject('DELETE', `/users/${id}`, { token: server.root.token })
  if (status !== 204) throw new Error(`the user was not deleted: ${status}`)
  await server.runJobs()
}
