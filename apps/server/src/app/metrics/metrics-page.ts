import { DomainError, forbidden } from '@stithy/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { bearerToken } from '../../directory/authentication/authenticate-request.ts'
import { secretsMatch } from '../../directory/authentication/secret.ts'
import type { App } from '../../platform/app.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { createHttpMetrics } from '../../platform/metrics/http-metrics.ts'
import { createInstanceMetrics } from './instance-metrics.ts'

/** The metrics of a server. */
export interface Metrics {
  /** Counts a request that was answered. */
  observe: (request: FastifyRequest, reply: FastifyReply) => void
  mediaType: string
  /** The text that Prometheus reads. */
  show: () => Promise<string>
}

export function createMetrics(app: App): Metrics {
  const registry = new Registry()
  const { observe } = createHttpMetrics(registry)
  const refresh = createInstanceMetrics(app, registry)
  let showing: Promise<string> | undefined
  let watchesProcess = false
  async function collect(): Promise<string> {
    // Watching the collection of garbage costs something, so nobody pays who doesn't look.
    if (!watchesProcess) collectDefaultMetrics({ register: registry })
    watchesProcess = true
    await refresh()
    return registry.metrics()
  }
  return {
    observe,
    mediaType: registry.contentType,
    show() {
      showing ??= collect().finally(() => {
        showing = undefined
      })
      return showing
    },
  }
}

/**
 * Registers `/metrics`, for the token in the configuration and for tokens of administrators. Others
 * get 401 or 403, and everyone 404 while `prometheus_metrics_enabled` is off.
 */
export function registerMetrics(
  server: FastifyInstance,
  app: App,
  metrics: Metrics,
  identifyCaller: IdentifyCaller,
): void {
  const config = { identifiesCaller: true } as const
  server.get('/metrics', { config }, async (request, reply) => {
    const refusal = hasMetricsToken(app, request)
      ? undefined
      : await refusalOf(identifyCaller, request, reply)
    if (!isLimit(refusal) && !app.settings.prometheus_metrics_enabled)
      throw new DomainError('unknown_route')
    if (refusal !== undefined) throw refusal
    return reply.header('content-type', metrics.mediaType).send(await metrics.show())
  })
}

function hasMetricsToken({ config }: App, { headers }: FastifyRequest): boolean {
  const token = bearerToken(headers.authorization)
  if (token === undefined || config.metricsToken === undefined) return false
  return secretsMatch(token, config.metricsToken)
}

/** Why a caller may not read the metrics; undefined if they may. */
async function refusalOf(
  identifyCaller: IdentifyCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    const { user, facts, scopes } = await identifyCaller(request, reply)
    if (user === null) return new DomainError('unauthorized')
    if (!scopes.includes('api')) return new DomainError('insufficient_scope', { scopes: ['api'] })
    return facts.admin ? undefined : forbidden()
  } catch (error) {
    return error
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'too_many_requests'
}
