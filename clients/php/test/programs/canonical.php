<?php

// Argument: a file with a JSON list of texts. Prints the canonical form of each; null where it is not certain.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$codes = \json_decode(\file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
$certain = static function (string $code): ?string {
    $canonical = Saleproof\PurchaseCode::canonical($code);
    return Saleproof\PurchaseCode::isCertain($canonical) ? $canonical : null;
};
echo \json_encode(\array_map($certain, $codes), JSON_THROW_ON_ERROR);
