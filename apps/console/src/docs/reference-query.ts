import type { OpenApiDocument } from '@saleproof/schema/openapi'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'
import { serviceUrl } from '../app/service-url.ts'
import { readReference } from './reference.ts'

/** The OpenAPI document of the service that serves this page, so that it is of the same version. */
export const referenceQuery = queryOptions({
  queryKey: ['reference'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    const response = await fetch(serviceUrl('openapi.json'))
    if (!response.ok) throw new ApiError('unavailable')
    const document: OpenApiDocument = await response.json()
    return readReference(document)
  },
})
