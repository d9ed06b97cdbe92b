import { type Contract, contracts, type EndpointSpec } from '@stithy/core'
import { seededRandom } from '@stithy/git/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { JSONSchemaFaker } from 'json-schema-faker'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonSchema } from './openapi-schemas.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const samplesEach = 40
JSONSchemaFaker.option({
  random: seededRandom(1),
  optionalsProbability: 0.5,
  failOnInvalidFormat: false,
  maxItems: 3,
  maxLength: 30,
})

const parts = Object.entries<Contract>(contracts).flatMap(([resource, contract]) =>
  Object.entries(contract).flatMap(([action, endpoint]) =>
    schemasOf(endpoint).map(([part, schema]) => ({
      name: `${resource}.${action} (${part})`,
      schema,
    })),
  ),
)

/** What is sent besides the path, without the files, which are no JSON. */
function schemasOf({ query, body }: EndpointSpec): [string, z.ZodObject][] {
  const schemas = Object.entries({ query, body }).filter(([, schema]) => schema !== undefined)
  return schemas.map(([part, schema]) => [part, withoutFiles(schema as z.ZodObject)])
}

function withoutFiles({ shape }: z.ZodObject): z.ZodObject {
  const fields = Object.entries(shape).filter(([, field]) => !isFile(field as z.ZodType))
  return z.object(Object.fromEntries(fields))
}

function isFile(field: z.ZodType): boolean {
  return JSON.stringify(jsonSchema(field, 'input')).includes('"format":"binary"')
}

/** Values that are valid by the documented schema; the same ones in every run. */
function samplesOf(schema: z.ZodObject): unknown[] {
  const documented = jsonSchema(schema, 'input')
  const isValid = ajv.compile(documented)
  const values = Array.from({ length: samplesEach }, () => JSONSchemaFaker.generate(documented))
  return values.filter((value) => isValid(value))
}

describe('requests that are valid by the OpenAPI document', () => {
  it.each(parts)('are accepted by the schema of $name', ({ schema }) => {
    const samples = samplesOf(schema)
    expect(samples).not.toEqual([])
    for (const sample of samples) {
      const { error } = schema.safeParse(sample)
      expect([sample, error?.issues]).toEqual([sample, undefined])
    }
  })
})
