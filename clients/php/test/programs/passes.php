<?php

// Goes through the vectors of clients/passes.json. Argument: the file. Prints what differs, as JSON, and how many changes of one bit of a
// valid pass were accepted.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$isValid = static function (array $vector, string $jws): bool {
    $options = Saleproof\Options::read([
        'base_url' => 'https://api.shop.example',
        'api_key' => 'a-key',
        'passes' => ['workspace' => $vector['workspace'], 'public_keys' => $vector['publicKeys']],
        'now' => static fn (): float => (float) $vector['now'],
    ]);
    $answer = ['pass' => $jws, 'purchase' => []];
    $code = Saleproof\PurchaseCode::read($vector['code']);
    return $options['passes']->believe($answer, $code, (string) $vector['item']) !== null;
};
$vectors = \json_decode(\file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR)['vectors'];
$wrong = [];
foreach ($vectors as $vector) {
    if ($isValid($vector, $vector['jws']) !== ($vector['expect'] === 'valid')) {
        $wrong[] = $vector['name'];
    }
}
$accepted = 0;
for ($bit = 0; $bit < 8 * \strlen($vectors[0]['jws']); $bit++) {
    $changed = $vectors[0]['jws'];
    $changed[$bit >> 3] = \chr(\ord($changed[$bit >> 3]) ^ (1 << ($bit & 7)));
    $accepted += (int) $isValid($vectors[0], $changed);
}
echo \json_encode(['count' => \count($vectors), 'wrong' => $wrong, 'accepted' => $accepted]);
