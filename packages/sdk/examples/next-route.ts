import type { Guard } from '@saleproof/sdk/guard'

/** `app/download/route.ts` of a Next.js application: `export const GET = createRoute(guard)`. */
export const createRoute =
  (guard: Guard) =>
  async (request: Request): Promise<Response> => {
    const decision = await guard(request)
    return decision.allowed ? new Response('the product') : decision.response()
  }
