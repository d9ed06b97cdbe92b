import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

/** What is counted of every request. */
export interface HttpMetrics {
  observe: (request: FastifyRequest, reply: FastifyReply) => void
}

/** The route of what is no route: paths are as many as anyone likes to ask for. */
export const unknownRoute = 'unknown'

/**
 * Counts requests by method, route template and status, and their durations by method and route:
 * there are as many series as endpoints, whatever is requested.
 */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry]
  const requests = new Counter({
    name: 'stithy_http_requests_total',
    help: 'Requests that were answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'stithy_http_request_duration_seconds',
    help: 'Seconds until a request was answered, by method and route.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  return {
    observe(request, reply) {
      const { url: route = unknownRoute } = request.routeOptions
      // Unknown routes have any method.
      const method = route === unknownRoute ? 'any' : request.method
      requests.inc({ method, route, status: reply.raw.statusCode })
      durations.observe({ method, route }, reply.elapsedTime / 1000)
    },
  }
}
