const name = 'FUZZ_SETTINGS';
export const settingsIn = (settings) => ({ [name]: JSON.stringify(settings) });
export const settingsOf = (env) => JSON.parse(env[name] ?? '');
