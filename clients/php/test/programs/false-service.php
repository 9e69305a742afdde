<?php

// Asks the false service of clients/faults. Argument: its address. Prints what the client made of the answers, each with how often, as JSON.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$plan = \json_decode(\file_get_contents($argv[1] . '/plan'), true, 512, JSON_THROW_ON_ERROR);
$client = new Saleproof\Client([
    'base_url' => $argv[1],
    'api_key' => 'a-key',
    'item_id' => $plan['itemId'],
    'max_retries' => 0,
    'passes' => ['workspace' => $plan['workspace'], 'public_keys' => $plan['publicKeys']],
]);
$check = static function (string $code) use ($client): string {
    $found = $client->check($code);
    return \trim($found->outcome . ' ' . ($found->error->code ?? ''));
};
$outcomes = [];
for ($index = 0; $index < $plan['count']; $index++) {
    $outcome = $check($plan['forgeries'][$index % \count($plan['forgeries'])] . "-$index");
    $outcomes[$outcome] = ($outcomes[$outcome] ?? 0) + 1;
}
echo \json_encode(['outcomes' => $outcomes, 'honest' => $check('honest-1')]);
