import { reachedOrMissed, table, toTenths } from '../tables.ts'
import { livenessGoal, type WaitsBeside } from './waits.ts'

export function waitsTable(beside: Readonly<Record<string, WaitsBeside>>): string {
  return table(
    [
      ...['`GET /-/liveness` beside', 'p50 ms', 'p99 ms', 'max ms', 'goal'],
      ...['of an idle server, p50 ms', 'p99 ms', 'max ms'],
    ],
    Object.entries(beside).map(([name, { server, idle }]) => [
      name,
      ...[server.p50, server.p99, server.max].map(toTenths),
      `max ≤ ${livenessGoal} ms ${reachedOrMissed(server.max <= livenessGoal)}`,
      ...[idle.p50, idle.p99, idle.max].map(toTenths),
    ]),
  )
}
